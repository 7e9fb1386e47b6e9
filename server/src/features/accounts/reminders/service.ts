export { claimMonthlyReminders, claimWeeklyReminders } from './store.ts';
