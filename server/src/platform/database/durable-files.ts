import { closeSync, fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type ModuleOptions = Parameters<NodeFS['init']>[1];

interface Stream {
  /** The operating system's file descriptor. */
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
 * The embedded engine's files, closed to other users and with an fsync that reaches the disk. The engine's own file
 * system ignores fsync, so commits would survive the process but not a crash of the machine.
 */
export class DurableFiles extends NodeFS {
  /** Number of fsync calls that reached the operating system. */
  syncs = 0;
  readonly #open = new Set<number>();

  override async init(pg: PGlite, options: ModuleOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options);
    const watch = (module: PGlite['Module']): void => {
      // oxlint-disable-next-line no-unsafe-type-assertion -- the engine's types omit NODEFS's internals
      const files = module.NODEFS as unknown as NodeFilesystem;
      const { setattr } = files.node_ops;
      // The engine sets the mode of every file it creates, some to 0666, regardless of this process's umask.
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
        // Reports a failure as the errno that PostgreSQL expects, so that it doesn't take the commit as durable.
        files.tryFSOperation(() => fsyncSync(stream.nfd));
        this.syncs += 1;
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), watch] } };
  }

  /** Closes the files that a stopped engine left open. */
  abandon(): void {
    for (const descriptor of this.#open) closeSync(descriptor);
    this.#open.clear();
  }
}
