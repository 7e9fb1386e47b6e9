import { Spinner } from '../../ui/spinner.tsx';

export const PageSpinner = () => <Spinner label="Loading" size={28} className="w-full justify-center py-24" />;
