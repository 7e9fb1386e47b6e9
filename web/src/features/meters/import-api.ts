import type { ImportAnswer } from '@hourshare/contract/meters';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { announceChange } from '../../platform/live/changes.ts';
import type { MeterKey } from './api.ts';
import type { FileRow } from './files/rows.ts';

const paramsOf = ({ assetId, meterId }: MeterKey) => ({ id: assetId, meter_id: meterId });

const send = (key: MeterKey, rows: FileRow[], isDryRun: boolean): Promise<ImportAnswer> =>
  call('POST /api/assets/{id}/meters/{meter_id}/imports/', {
    params: paramsOf(key),
    // Names and times, whatever else a row may have come to have.
    body: { dry_run: isDryRun, rows: rows.map(({ name, start, end }) => ({ name, start, end })) },
  });

/** Asks what would become of rows, once it is said whom a name means. */
export function usePreviewImport(key: MeterKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ rows, match }: { rows: FileRow[]; match?: { name: string; shareId: number | null } }) => {
      if (match) {
        const names = [{ external_name: match.name, share_id: match.shareId }];
        await call('PUT /api/assets/{id}/meters/{meter_id}/names/', { params: paramsOf(key), body: { names } });
        // What the meter told of that name counts, too.
        await Promise.all([announceChange(client, 'meters'), announceChange(client, 'sessions')]);
      }
      return send(key, rows, true);
    },
  });
}

export function useImport(key: MeterKey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rows: FileRow[]) => send(key, rows, false),
    onSettled: () => Promise.all([announceChange(client, 'meters'), announceChange(client, 'sessions')]),
  });
}
