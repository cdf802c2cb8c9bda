import boundaries from 'eslint-plugin-boundaries';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * Which folder may import which: denied unless listed. A debt stands here with its reason, never as an inline
 * suppression (those are reported as errors).
 */
const MAY_IMPORT = {
  'core-base': [],
  'core-trace': ['core-base'],
  'core-import': ['core-base', 'core-trace'],
  'core-tokens': ['core-base', 'core-trace'],
  'core-evidence': ['core-base', 'core-trace'],
  'core-numerics': ['core-base'],
  'core-embedding': ['core-base', 'core-trace', 'core-numerics'],
  'core-selection': ['core-base', 'core-trace', 'core-numerics', 'core-embedding'],
  // embedding and selection: the forwarding policies (gem, selector:*, pace) read block vectors; neither imports workspace.
  'core-workspace': ['core-base', 'core-trace', 'core-tokens', 'core-evidence', 'core-numerics', 'core-embedding', 'core-selection'],
  'core-corpus': ['core-base', 'core-trace', 'core-numerics', 'core-embedding', 'core-selection', 'core-workspace'],
  'core-layout': ['core-base', 'core-trace', 'core-workspace', 'core-evidence'],
  storage: ['core'],
  workers: ['core', 'storage'],
  state: ['core', 'storage', 'workers'],
  draw: ['core'],
  // workers: the types of workers/api.ts.
  ui: ['core', 'state', 'draw', 'workers'],
  // The command line is Node's composition root; workers: only the ONNX adapter, which takes its runtime as an argument.
  cli: ['core', 'workers'],
  testing: ['core', 'storage', 'workers', 'state', 'draw', 'cli'],
};
const CORE = Object.keys(MAY_IMPORT).filter((name) => name.startsWith('core-'));
const expand = (names) => names.flatMap((name) => (name === 'core' ? CORE : [name]));
const policies = (extra = []) =>
  Object.entries(MAY_IMPORT).map(([from, to]) => ({
    from: { element: { type: from } },
    allow: { to: { element: { types: { anyOf: [...new Set([...expand(to), from, ...extra])] } } } },
  }));

const RUNTIME = { group: ['onnxruntime-web', 'onnxruntime-web/*'], message: 'Only src/workers/ort-*.ts and src/cli/ort.ts may import the inference runtime.' };
const NOT_IN_CORE = { group: ['react', 'react-dom', 'react/*', 'dexie', 'zustand', 'zustand/*', 'node:*', '@tanstack/*'], message: 'core runs in Node, worker and page alike: no React, IndexedDB, Node or page state.' };
const DATABASE = { group: ['dexie'], message: 'Only src/storage may import the database.' };
const restrict = (...patterns) => ['error', { patterns }];

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'test-results', 'playwright-report', 'scratch', 'public', 'src/testing/examples/project'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'smart'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { boundaries, 'react-hooks': hooks },
    settings: {
      'import/resolver': { node: { extensions: ['.ts', '.tsx'] } },
      'boundaries/include': ['src/**/*'],
      // The composition root: the only file that may know everything.
      'boundaries/ignore': ['src/main.tsx'],
      'boundaries/elements': [
        ...CORE.map((type) => ({ type, pattern: `src/core/${type.slice(5)}` })),
        ...['storage', 'workers', 'state', 'draw', 'ui', 'cli', 'testing'].map((type) => ({ type, pattern: `src/${type}` })),
      ],
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies: policies() }],
      'boundaries/no-unknown-files': 'error',
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': restrict(RUNTIME, DATABASE),
    },
  },
  { files: ['src/core/**/*.{ts,tsx}'], ignores: ['src/**/*.test.ts'], rules: { 'no-restricted-imports': restrict(RUNTIME, NOT_IN_CORE) } },
  { files: ['src/storage/**/*.ts'], rules: { 'no-restricted-imports': restrict(RUNTIME) } },
  { files: ['src/workers/ort-*.ts', 'src/cli/ort.ts'], rules: { 'no-restricted-imports': restrict(DATABASE) } },
  // Tests may take builders from testing, and every part of the product that testing itself may.
  { files: ['src/**/*.test.{ts,tsx}'], rules: { 'boundaries/dependencies': ['error', { default: 'disallow', policies: policies(['testing', ...CORE]) }] } },
);
