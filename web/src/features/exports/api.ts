import { callForFile } from '../../platform/http/call.ts';

export const jsonExport = () => callForFile('GET /api/me/export/', {});
export const csvExport = () => callForFile('GET /api/me/export/csv/', {});
