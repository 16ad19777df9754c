// A worker whose event loop is empty frees a heap of up to 1 GB. On a busy machine that takes longer than the 500 ms
// after which Jest kills the worker and warns of open handles. An explicit exit leaves the heap to the system.
if (process.env.JEST_WORKER_ID !== undefined) process.once('beforeExit', () => process.exit());
