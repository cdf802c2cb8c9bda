import { useResource } from '../../state/react/use-resource';
import { LifelineSketch } from './LifelineSketch';
import { loadExamples, type Example } from './examples';

/** Bundled runs, each with one sentence on what to look at. Nothing is shown where the page was built without them. */
export function Examples({ onOpen }: { onOpen: (example: Example) => void }) {
  const examples = useResource('examples', () => loadExamples(window.fetch.bind(window)));
  const list = examples.value ?? [];
  if (examples.status === 'failed' || (examples.status === 'ready' && list.length === 0)) return null;
  return (
    <section className="examples" aria-label="Examples">
      <h2>Try an example</h2>
      <ul>
        {examples.status === 'loading' && [0, 1, 2].map((i) => <li key={i} className="example example-skeleton" aria-hidden="true" />)}
        {list.map((example) => (
          <li key={example.file}>
            <button type="button" className="example" onClick={() => onOpen(example)}>
              <LifelineSketch lines={example.lifelines} />
              <span className="example-title">{example.title}</span>
              <span className="example-look">{example.look}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
