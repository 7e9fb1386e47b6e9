import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';

export const HomeLink = () => <Link to={paths.landing}>Back to home</Link>;

export const LicensesLink = () => <a href={paths.licenses}>Open-source licenses</a>;

export const ContactLink = () => <Link to={paths.about}>See About for whom to ask.</Link>;
