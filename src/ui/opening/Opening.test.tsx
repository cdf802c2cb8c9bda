// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ImportOutcome } from '../../workers/api';
import { createCorpusStore } from '../../state/corpus';
import { createImportsStore, importFiles } from '../../state/imports';
import { createJobsStore } from '../../state/jobs';
import { createPreferencesStore } from '../../state/preferences';
import { AppContext, type AppServices } from '../../state/react/app-context';
import { createViewStore, type ViewState } from '../../state/view';
import { fakeWorkbench, libraryRun, type FakeOptions } from '../../testing/fake-workbench';
import { Opening } from './Opening';

beforeEach(() => vi.stubGlobal('fetch', async () => new Response('', { status: 404 })));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const B = `${'b'.repeat(64)}#0`;
const REPORT: ImportOutcome = {
  runs: [B], alreadyStored: [], failures: [{ file: 'notes.txt', message: 'Expected one of the known formats, found plain text.' }], overlaps: [],
  reports: [{
    file: 'good.jsonl', bytes: 2048, sha256: 'b'.repeat(64), format: 'pi', formatTitle: 'pi session', formatConfidence: 'likely', container: 'none', records: 12, recordKinds: { message: 11, session: 1 },
    badRecords: [{ line: 7, byteOffset: 900, reason: 'not JSON' }], badRecordCount: 1, unknownRecords: {}, warnings: ['One call has no result.'], messages: 11, toolCalls: 4, toolResults: 3, matchedPairs: 3,
    usage: { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null },
  }],
};

function show(options: FakeOptions, view: Partial<ViewState> = {}, missing = false): AppServices {
  const services: AppServices = { workbench: fakeWorkbench(options), view: createViewStore(view), jobs: createJobsStore(), imports: createImportsStore(), corpus: createCorpusStore(), preferences: createPreferencesStore(null) };
  render(<AppContext.Provider value={services}><Opening onBrowse={() => undefined} onPalette={() => undefined} problems={[]} missing={missing} /></AppContext.Provider>);
  return services;
}

describe('copies of one conversation', () => {
  it('are told in the report, and joined on request: the single runs of this drop go', async () => {
    const C = `${'c'.repeat(64)}#0`;
    const second = { ...REPORT.reports[0]!, file: 'copy.jsonl', sha256: 'c'.repeat(64) };
    const services = show({ runs: [libraryRun({ id: B, name: 'good' }), libraryRun({ id: C, name: 'copy' })] });
    const asked: unknown[] = [];
    services.workbench.importFiles = (files, options) => {
      asked.push([files.map(({ name }) => name), options?.join]);
      return Promise.resolve({ ...REPORT, failures: [], runs: [`${'d'.repeat(64)}#0`], reports: [] });
    };
    const forgotten: string[] = [];
    services.workbench.library.forget = (id) => { forgotten.push(id); return Promise.resolve(); };
    act(() => services.imports.setState({
      files: [{ name: 'good.jsonl', blob: new Blob() }, { name: 'copy.jsonl', blob: new Blob() }],
      outcome: { ...REPORT, failures: [], reports: [...REPORT.reports, second], runs: [B, C], overlaps: [{ files: ['good.jsonl', 'copy.jsonl'], sharedCalls: 4, callsOfSmaller: 6, canJoin: true }] },
    }));
    expect(screen.getByText(/4 of 6 model calls/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Join them into one run' }));
    await waitFor(() => expect(forgotten).toEqual([B, C]));
    expect(asked).toEqual([[['good.jsonl', 'copy.jsonl'], true]]);
  });
});

describe('opening screen', () => {
  it('says that nothing leaves the machine and offers to open a file', () => {
    show({});
    expect(screen.getByText(/nothing leaves your machine/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Open file' })).toBeTruthy();
    expect(screen.getByText('No runs yet')).toBeTruthy();
  });

  it('opens a run of the library; filter, pin and forget work', async () => {
    const { view } = show({ runs: [libraryRun({ name: 'alpha' }), libraryRun({ id: B, name: 'beta', fileName: 'beta.jsonl' })] });
    fireEvent.change(screen.getByLabelText('Filter the library'), { target: { value: 'beta' } });
    expect(screen.queryByRole('button', { name: 'alpha' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Pin beta' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pin beta' }).getAttribute('aria-pressed')).toBe('true'));
    fireEvent.click(screen.getByRole('button', { name: 'beta' }));
    expect(view.getState()).toMatchObject({ run: B, file: 'beta.jsonl', step: 1 });
  });

  it('draws a window of a large library, says how many there are and filters all of them', async () => {
    const runs = Array.from({ length: 5000 }, (_, i) => libraryRun({ id: `${i.toString(16).padStart(64, '0')}#0`, name: `run ${i}` }));
    show({ runs });
    const table = screen.getByRole('table', { name: 'Runs' });
    expect(table.getAttribute('aria-rowcount')).toBe('5001');
    expect(within(table).getAllByRole('row').length).toBeLessThan(100);
    fireEvent.change(screen.getByLabelText('Filter the library'), { target: { value: 'run 4999' } });
    fireEvent.click(await within(table).findByRole('button', { name: 'Forget run 4999' }));
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  it('the report names format, counts, bad lines, warnings and failures, and leads to the run', async () => {
    const services = show({ importOutcome: REPORT, runs: [libraryRun({ id: B, name: 'good' })] });
    await act(() => importFiles(services, [{ name: 'good.jsonl', blob: new Blob(['x']) }]));
    const report = within(screen.getByRole('region', { name: 'Import report' }));
    expect(report.getByText('(likely)')).toBeTruthy();
    expect(report.getByText(/line 7: not JSON/)).toBeTruthy();
    expect(report.getByText('One call has no result.')).toBeTruthy();
    expect(report.getByRole('alert').textContent).toContain('notes.txt');
    fireEvent.click(report.getByRole('button', { name: /^Open good/ }));
    expect(services.view.getState().run).toBe(B);
  });

  it('says when the database was deleted from under it', async () => {
    const { workbench } = show({ runs: [libraryRun({ name: 'alpha' })] });
    workbench.library.report = () => Promise.reject(new Error('The database was closed.'));
    fireEvent(window, new Event('focus'));
    expect((await screen.findByText('The database was closed.')).closest('[role=alert]')?.textContent).toContain('Reload');
  });

  it('a link to a run that is not loaded names the file it expects', () => {
    show({}, { run: B, file: 'wanted.jsonl' }, true);
    expect(screen.getByRole('alert').textContent).toContain('wanted.jsonl');
  });
});
