import fc from 'fast-check';

/**
 * Property tests use the same random cases in every run, so that a green commit stays green; look further with
 * CONTEXTSCOPE_SEED=$RANDOM npx vitest run.
 */
const seed = Number(process.env['CONTEXTSCOPE_SEED'] ?? 20261129);
fc.configureGlobal({ seed });
