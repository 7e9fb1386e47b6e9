import { startServer } from './server.ts';

/** Runs once before all tests: has a server create the data of its first start, which the servers of tests then copy. */
export default async function prepareData(): Promise<() => Promise<void>> {
  const server = await startServer({}, { engine: 'embedded' });
  await server.stop();
  process.env.PREPARED_DATA = server.dataDir;
  return server.dispose;
}
