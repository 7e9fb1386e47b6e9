import { describe, expect, test } from 'vitest';
import { withSettings } from './postgresql-settings.ts';

describe('connection settings', () => {
  test("leave an address unchanged, even with characters that an address can't have", () => {
    const address = 'postgresql://hours:100%!x and more@db:5432/hours?sslmode=require';
    const { connectionString, options } = withSettings(address, {});
    expect(connectionString).toBe(address);
    expect(options).toMatch(/^-c TimeZone=UTC -c DateStyle=ISO,\\ MDY /);
  });

  test('come after the options of the address', () => {
    const address = 'postgresql://db/hours?options=-c%20search_path%3Dhours&sslmode=require';
    const { connectionString, options } = withSettings(address, { PGOPTIONS: '-c search_path=other' });
    expect(connectionString).toBe('postgresql://db/hours?&sslmode=require');
    expect(options).toMatch(/^-c search_path=hours -c TimeZone=UTC /);
  });

  test('come after PGOPTIONS when the address has no options', () => {
    const { options } = withSettings('postgresql://db/hours', { PGOPTIONS: '-c search_path=hours' });
    expect(options).toMatch(/^-c search_path=hours -c TimeZone=UTC /);
  });
});
