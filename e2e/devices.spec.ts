import { expect, test } from './test.ts';
import { device } from './verbs.ts';

test.describe("a test's browser contexts", () => {
  test.beforeEach(({ browser }) => {
    expect(browser.contexts()).toHaveLength(0);
  });

  for (const which of ['first', 'second'])
    test(`are closed when it ends: ${which} test`, async ({ browser, server }) => {
      await Promise.all([device(browser, server), device(browser, server)]);
      expect(browser.contexts()).toHaveLength(2);
    });
});
