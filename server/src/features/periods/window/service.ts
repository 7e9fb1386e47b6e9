export { areConfirmed, confirmPeriod, markClosed, unconfirmPeriods } from './store.ts';
