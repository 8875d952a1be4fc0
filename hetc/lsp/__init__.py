"""The language server: what an editor shows of a file while it is written.

`desk` holds the open files and has them checked, `place` finds what stands at a cursor, and one module each answers an
editor's question. They speak of texts, offsets and hetc's own types; `server` alone knows the protocol and its library.
"""
