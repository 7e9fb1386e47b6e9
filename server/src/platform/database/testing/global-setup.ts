import type { TestProject } from 'vitest/node';
import { buildDatabase } from './build.ts';
import { makeTemplate, type Template } from './templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: Template;
    /** URL of this folder's built code. */
    databaseBuild: string;
  }
}

/** Runs once before the server's tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, remove } = await makeTemplate(process.env['TEST_DATABASE_URL']);
  project.provide('databaseTemplate', template);
  project.provide('databaseBuild', buildDatabase());
  return remove;
}
