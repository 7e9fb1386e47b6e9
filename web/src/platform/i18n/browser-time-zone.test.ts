import { describe, expect, it, vi } from 'vitest';
import { browserTimeZone, sendTimeZone } from './browser-time-zone.ts';
import { ApiError } from '../http/errors.ts';

const refusal = (field: string) => new ApiError(400, { code: 'validation_failed', fields: { [field]: ['No'] } });

function inZone(timeZone: string | undefined): void {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone: timeZone as string,
  });
}

/** Sends with a server that knows only UTC and Tokyo. Returns the zones that it got. */
async function zonesSent(otherwise?: string): Promise<string[]> {
  const sent: string[] = [];
  const send = async (zone: string) => {
    sent.push(zone);
    if (!['UTC', 'Asia/Tokyo'].includes(zone)) throw refusal('time_zone');
  };
  await sendTimeZone(send, otherwise);
  return sent;
}

describe('the time zone of the browser', () => {
  it('is sent as it is', async () => {
    inZone('Asia/Tokyo');
    expect(await zonesSent('UTC')).toEqual(['Asia/Tokyo']);
  });

  it.each([undefined, '', 'Etc/Unknown'])('is replaced if the browser says %s', async (zone) => {
    inZone(zone);
    expect(browserTimeZone()).toBe('UTC');
    expect(await zonesSent()).toEqual(['UTC']);
    expect(await zonesSent('Asia/Tokyo')).toEqual(['Asia/Tokyo']);
  });

  it('is replaced if the server does not know it', async () => {
    inZone('Europe/Atlantis');
    expect(await zonesSent()).toEqual(['Europe/Atlantis', 'UTC']);
    expect(await zonesSent('Asia/Tokyo')).toEqual(['Europe/Atlantis', 'Asia/Tokyo']);
  });

  it('is no reason to send again what is refused for another one', async () => {
    inZone('Asia/Tokyo');
    const send = vi.fn<(zone: string) => Promise<void>>().mockRejectedValue(refusal('username'));
    await expect(sendTimeZone(send)).rejects.toThrow(ApiError);
    expect(send).toHaveBeenCalledTimes(1);
  });
});
