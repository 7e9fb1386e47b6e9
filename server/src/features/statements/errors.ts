import { sentence } from '@hourshare/contract/sentences';
import { fail, type Failure } from '../../platform/result.ts';

export const statementNotFound = (): Failure => fail('not_found', { sentence: sentence('statement_not_found') });
export const monthNotEnded = (): Failure => fail('month_not_ended');
export const membersMayEdit = (): Failure => fail('members_may_edit');
export const objectionsOpen = (): Failure => fail('objections_open');

export const notAMember = (username: string): Failure =>
  fail('validation_failed', { fields: { allocations: [sentence('not_a_member', { username })] } });
