import { NoticeKind } from '@hourshare/contract/notifications';
import { expect, it } from 'vitest';
import { kindGroups } from './kinds-text.ts';

it('has each kind of notice in exactly one group', () => {
  expect(kindGroups.flatMap(({ kinds }) => kinds).toSorted()).toEqual(NoticeKind.options.toSorted());
});
