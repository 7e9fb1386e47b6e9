import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';

export const HomeLink = () => <Link to={paths.landing}>{t('Back to home')}</Link>;

export const LicensesLink = () => <a href={paths.licenses}>{t('Open-source licenses')}</a>;

/** A link inside of a message. */
export const aboutLink = (text: ReactNode) => <Link to={paths.about}>{text}</Link>;
