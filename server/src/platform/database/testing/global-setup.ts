import type { TestProject } from 'vitest/node';
import { makeTemplate, type Template } from './templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseTemplate: Template;
  }
}

/** Runs once before the server's tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { template, remove } = await makeTemplate(process.env['TEST_DATABASE_URL']);
  project.provide('databaseTemplate', template);
  return remove;
}
