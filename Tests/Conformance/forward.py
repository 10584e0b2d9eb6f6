# SPDX-License-Identifier: Apache-2.0

"""Forwards TCP to a socket file for tools without Unix sockets: forward.py SOCKET prints its port and serves until it is stopped."""

import asyncio
import sys


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def serve(reader, writer):
    there_reader, there_writer = await asyncio.open_unix_connection(sys.argv[1])
    await asyncio.gather(pump(reader, there_writer), pump(there_reader, writer))
    there_writer.close()
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
