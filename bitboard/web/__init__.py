"""Bots and browsers: a protocol of JSON objects, its server on this machine, and pages that play games by themselves.

protocol.Protocol answers requests, dicts in and dicts out, and knows nothing of HTTP; `bitboard engine` and server.App
are thin shells around it. page puts together what a browser gets. README.md here describes the protocol.
"""
