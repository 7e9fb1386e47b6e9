import { fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type ModuleOptions = Parameters<NodeFS['init']>[1];

interface NodeFilesystem {
  stream_ops: { fsync?: (stream: { nfd: number }) => number };
  tryFSOperation<T>(operation: () => T): T;
}

/**
 * The embedded engine's files, with an fsync that reaches the disk. The engine's own file system has none, so a commit
 * would survive the death of the process but not that of the machine. Folders are synced by the same call: PostgreSQL
 * opens them read-only to make its renames last.
 */
export class DurableFiles extends NodeFS {
  /** Calls that reached the operating system. */
  syncs = 0;

  override async init(pg: PGlite, options: ModuleOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    emscriptenOpts.preRun!.push((module) => {
      const files = module.NODEFS as unknown as NodeFilesystem;
      files.stream_ops.fsync = (stream) => {
        // Turns a failure into the errno PostgreSQL expects: it must hear of it, and not believe in a commit.
        files.tryFSOperation(() => fsyncSync(stream.nfd));
        this.syncs += 1;
        return 0;
      };
    });
    return { emscriptenOpts };
  }
}
