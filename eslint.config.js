import boundaries from 'eslint-plugin-boundaries';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/**
 * Which folder may import which: denied unless listed. A debt stands here with its reason, never as an inline
 * suppression. (`core/base` may import nothing of ours.)
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
  'core-workspace': ['core-base', 'core-trace', 'core-tokens', 'core-evidence', 'core-numerics'],
  'core-layout': ['core-base', 'core-trace', 'core-workspace', 'core-evidence'],
  storage: ['core'],
  workers: ['core', 'storage'],
  state: ['core', 'storage', 'workers'],
  draw: ['core'],
  // workers: only the types of workers/api.ts.
  ui: ['core', 'state', 'draw', 'workers'],
  // The command line is Node's composition root; workers: only the ONNX adapter, which takes its runtime as an argument.
  cli: ['core', 'workers'],
  testing: ['core', 'storage', 'workers', 'state', 'draw', 'cli'],
  main: ['core', 'storage', 'workers', 'state', 'draw', 'ui'],
};
const CORE = Object.keys(MAY_IMPORT).filter((name) => name.startsWith('core-'));
const expand = (names) => names.flatMap((name) => (name === 'core' ? CORE : [name]));

const rules = Object.entries(MAY_IMPORT).map(([from, to]) => ({
  from: { type: from },
  allow: { to: { type: [...expand(to), from] } },
}));

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'test-results', 'playwright-report', 'src/lint-fixtures', 'scratch', 'public'] },
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { boundaries, 'react-hooks': hooks },
    settings: {
      'import/resolver': { node: { extensions: ['.ts', '.tsx'] } },
      'boundaries/include': ['src/**/*'],
      'boundaries/elements': [
        ...CORE.map((type) => ({ type, pattern: `src/core/${type.slice(5)}`, mode: 'folder' })),
        ...['storage', 'workers', 'state', 'draw', 'ui', 'cli', 'testing'].map((type) => ({ type, pattern: `src/${type}`, mode: 'folder' })),
        { type: 'main', pattern: 'src/main.tsx', mode: 'file' },
      ],
    },
    rules: {
      'boundaries/element-types': ['error', { default: 'disallow', rules }],
      ...hooks.configs.recommended.rules,
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-imports': ['error', { patterns: [{ group: ['onnxruntime-web', 'onnxruntime-web/*'], message: 'Only src/workers/ort-*.ts and src/cli/ort.ts may import the runtime.' }] }],
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    files: ['src/**/*.test.{ts,tsx}'],
    rules: { 'boundaries/element-types': ['error', { default: 'disallow', rules: rules.map((r) => ({ ...r, allow: { to: { type: [...r.allow.to.type, 'testing'] } } })) }] },
  },
  { files: ['src/workers/ort-*.ts', 'src/cli/ort.ts'], rules: { 'no-restricted-imports': 'off' } },
);
