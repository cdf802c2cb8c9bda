import { KEY_ROWS, type KeyRow } from '../../state/keys';
import { useApp, usePreference } from '../../state/react/app-context';
import { Dialog } from '../shared/Dialog';
import { modifierName } from '../shared/modifier';
import './keys-help.css';

const GROUPS: KeyRow['group'][] = ['Steps', 'Timeline', 'Everywhere'];
const SHOWN: Record<string, string> = { ArrowRight: '→', ArrowLeft: '←', Escape: 'Esc' };
const name = (key: string): string => key.split('+').map((part) => (part === 'Ctrl' ? modifierName() : (SHOWN[part] ?? part))).join(' ');

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const { preferences } = useApp();
  const shortcuts = usePreference((state) => state.shortcuts);
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      <div className="keys-help">
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {KEY_ROWS.filter((row) => row.group === group).map((row) => (
                <div key={row.command}>
                  <dt>{row.keys.map((key) => <kbd key={key}>{name(key)}</kbd>)}</dt>
                  <dd>{row.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label className="inline keys-switch">
        <input type="checkbox" checked={shortcuts} onChange={(event) => preferences.setState({ shortcuts: event.target.checked })} />
        Single-key shortcuts
      </label>
      <p className="muted small">Switched off, letters and signs do nothing outside a field; arrows, Home, End and Esc still work.</p>
    </Dialog>
  );
}
