// Browsers refuse some of what the app uses: with all site data blocked, in private windows, in a frame, or when storage is full. The
// app then starts with a substitute that does nothing, or forgets everything with the page. Imported first.

/** Replaces a property of the window if using it fails. */
function substitute(name: string, attempt: () => unknown, make: () => unknown): void {
  try {
    attempt();
  } catch {
    const value = make();
    try {
      Object.defineProperty(window, name, { configurable: true, writable: true, value });
    } catch {
      // Nothing more can be done.
    }
  }
}

const PROBE = 'hourshare_probe';

function writeAndRemove(storage: Storage): void {
  storage.setItem(PROBE, PROBE);
  storage.removeItem(PROBE);
}

/** A storage for one page, with what can be read of the real one. */
function pageStorage(read: () => Storage): Storage {
  const methods = {
    get length() {
      return Object.keys(storage).length;
    },
    key: (index: number) => Object.keys(storage)[index] ?? null,
    getItem: (key: string) => (Object.hasOwn(storage, key) ? storage[key] : null),
    setItem: (key: string, value: string) => void (storage[key] = value),
    removeItem: (key: string) => void delete storage[key],
    clear: () => Object.keys(storage).forEach((key) => delete storage[key]),
  };
  const storage: Record<string, string> = Object.create(methods);
  try {
    Object.assign(storage, Object.fromEntries(Object.entries(read())));
  } catch {
    // Not even that.
  }
  // oxlint-disable-next-line no-unsafe-type-assertion -- entries are properties, as in the browser's own
  return storage as unknown as Storage;
}

class SilentChannel extends EventTarget {
  postMessage(): void {}
  close(): void {}
}

class SilentObserver {
  observe(): void {}
  disconnect(): void {}
}

const unmatched = (media: string) => Object.assign(new EventTarget(), { matches: false, media });

/** Fills the gaps of this browser. */
export function fillGaps(): void {
  substitute(
    'localStorage',
    () => writeAndRemove(window.localStorage),
    () => pageStorage(() => window.localStorage),
  );
  substitute(
    'sessionStorage',
    () => writeAndRemove(window.sessionStorage),
    () => pageStorage(() => window.sessionStorage),
  );
  substitute(
    'BroadcastChannel',
    () => new BroadcastChannel(PROBE).close(),
    () => SilentChannel,
  );
  substitute(
    'PerformanceObserver',
    () => new PerformanceObserver(() => {}),
    () => SilentObserver,
  );
  substitute(
    'matchMedia',
    () => window.matchMedia('print').matches,
    () => unmatched,
  );
}

// When imported, because other modules read the storage when they are.
fillGaps();
