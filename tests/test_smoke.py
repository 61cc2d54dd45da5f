def test_slide(impl):
    assert impl.move_left(0x1122_0000_0000_0000) == 0x2300_0000_0000_0000
