import { configure } from '@testing-library/react';

// What a test waits for comes later on a busy machine; this only ends what never comes.
configure({ asyncUtilTimeout: 60_000 });
