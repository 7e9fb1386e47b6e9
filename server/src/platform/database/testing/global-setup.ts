import type { TestProject } from 'vitest/node';
import { buildDatabase } from './build.ts';
import { readRowTypes, type RowTypes } from './row-types.ts';
import { makeTemplate, type Template } from './templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: Template;
    /** URL of this folder's built code. */
    databaseBuild: string;
    rowTypes: RowTypes;
  }
}

/** Runs once before the server's tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, remove } = await makeTemplate(process.env['TEST_DATABASE_URL']);
  project.provide('databaseTemplate', template);
  project.provide('databaseBuild', buildDatabase());
  project.provide('rowTypes', await readRowTypes());
  return remove;
}
