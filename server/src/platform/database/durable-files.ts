import { closeSync, fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type ModuleOptions = Parameters<NodeFS['init']>[1];

interface Stream {
  /** The descriptor of the system's file. */
  nfd: number;
  shared: { refcount: number };
}

interface Attributes {
  mode?: number;
}

interface NodeFilesystem {
  node_ops: { setattr: (node: unknown, attributes: Attributes) => void };
  stream_ops: {
    open: (stream: Stream) => void;
    close: (stream: Stream) => void;
    fsync?: (stream: Stream) => number;
  };
  tryFSOperation<T>(operation: () => T): T;
}

/**
 * The embedded engine's files, closed to other users and with an fsync that reaches the disk. The engine's own file system has none, so a commit
 * would survive the death of the process but not that of the machine. Folders are synced by the same call: PostgreSQL
 * opens them read-only to make its renames last.
 */
export class DurableFiles extends NodeFS {
  /** Calls that reached the operating system. */
  syncs = 0;
  readonly #open = new Set<number>();

  override async init(pg: PGlite, options: ModuleOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const watch = (module: PGlite['Module']): void => {
      // oxlint-disable-next-line no-unsafe-type-assertion -- its types leave out what it has
      const files = module.NODEFS as unknown as NodeFilesystem;
      const { setattr } = files.node_ops;
      // The engine sets the mode of every file it creates, past the umask of this process: 0666 for some.
      files.node_ops.setattr = (node, attributes) => {
        const { mode } = attributes;
        setattr(node, mode === undefined ? attributes : { ...attributes, mode: mode & ~0o077 });
      };
      const { open, close } = files.stream_ops;
      files.stream_ops.open = (stream) => {
        open(stream);
        this.#open.add(stream.nfd);
      };
      files.stream_ops.close = (stream) => {
        close(stream);
        if (stream.shared.refcount === 0) this.#open.delete(stream.nfd);
      };
      files.stream_ops.fsync = (stream) => {
        // Turns a failure into the errno PostgreSQL expects: it must hear of it, and not believe in a commit.
        files.tryFSOperation(() => fsyncSync(stream.nfd));
        this.syncs += 1;
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), watch] } };
  }

  /** Closes what an engine that has stopped left open. */
  abandon(): void {
    for (const descriptor of this.#open) closeSync(descriptor);
    this.#open.clear();
  }
}
