export interface FormatName { id: string; title: string }

/** Formats that can be forced, from the registry itself; it holds every importer, so it is loaded only when a report is shown. */
export async function loadFormats(): Promise<FormatName[]> {
  const { FORMATS } = await import('../../core/import/registry');
  return FORMATS.map(({ id, title }) => ({ id, title })).sort((a, b) => a.title.localeCompare(b.title));
}
