import { PassThrough, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ZipFile } from 'yazl';
import type { Result } from '../result.ts';

/** Runs work that takes one of the user's turns. */
export type InTurn = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;

/** A file that is generated while it is sent. Its pages are read in turns, so that a long file doesn't block others. */
export interface FileToSend {
  name: string;
  /** How long its reader may keep it; not at all if left out. */
  cacheSeconds?: number;
  content: (inTurn: InTurn) => Readable;
}

/** Sends a file. A failure after its first byte aborts the connection: a shorter file would look complete. */
export function sendFile(
  reply: FastifyReply,
  { type, inTurn }: { type: string; inTurn: InTurn },
  { name, cacheSeconds, content }: FileToSend,
): FastifyReply {
  // A streamed response and its turns add slightly more than the default ten listeners.
  reply.raw.setMaxListeners(20);
  return reply
    .header('cache-control', cacheSeconds === undefined ? 'no-store' : `private, max-age=${cacheSeconds}`)
    .header('content-type', type === 'application/zip' ? type : `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(content(inTurn));
}

/** Returns a ZIP file of files, each of which is read only after the previous one. */
export function zipOf(files: { name: string; content: () => AsyncIterable<string> }[], modifiedAt: Date): Readable {
  const zip = new ZipFile();
  // Wrapped by Readable.from, an error would wait for the next chunk, which never comes.
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  for (const { name, content } of files)
    zip.addReadStreamLazy(name, { mtime: modifiedAt }, (open) => {
      current = Readable.from(content());
      // The library doesn't handle the error, and would wait for the rest forever.
      current.once('error', (error) => output.destroy(error));
      open(null, current);
    });
  zip.end();
  return output;
}
