import { configure } from '@testing-library/react';

// A busy machine is slow; the timeout only ends waits that would never finish.
configure({ asyncUtilTimeout: 60_000 });
