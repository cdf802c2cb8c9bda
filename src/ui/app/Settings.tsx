import { useState } from 'react';
import { useApp, usePreference, useView } from '../../state/react/app-context';
import { ENCODINGS, THEMES } from '../../state/view';
import { useDismiss } from '../shared/use-dismiss';
import './settings.css';

const THEME_WORDS = { system: 'System', light: 'Light', dark: 'Dark' } as const;
const ENCODING_WORDS = { o200k_base: 'newer OpenAI models', cl100k_base: 'GPT-4 and GPT-3.5' } as const;

/** What a person sets once: theme, tokenizer, single keys. */
export function Settings() {
  const { view, preferences } = useApp();
  const [open, setOpen] = useState(false);
  const host = useDismiss<HTMLSpanElement>(open, () => setOpen(false));
  const linked = useView((state) => state.theme);
  const encoding = useView((state) => state.encoding);
  const preferred = usePreference((state) => state.theme);
  const shortcuts = usePreference((state) => state.shortcuts);
  const theme = linked === 'system' ? preferred : linked;
  return (
    <span className="menu-host" ref={host}>
      <button type="button" className="quiet square" aria-label="Settings" title="Settings" aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="M0 3h12M0 9h12" stroke="currentColor" strokeWidth="1.200" /><circle className="settings-knob" cx="4" cy="3" r="2" stroke="currentColor" strokeWidth="1.200" /><circle className="settings-knob" cx="8" cy="9" r="2" stroke="currentColor" strokeWidth="1.200" /></svg>
      </button>
      {open && (
        <div className="settings" role="dialog" aria-label="Settings" onKeyDown={(event) => {
          // Keys of the page rest while a setting is chosen.
          event.stopPropagation();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setOpen(false);
          host.current?.querySelector('button')?.focus();
        }}>
          <fieldset>
            <legend>Theme</legend>
            {THEMES.map((one) => (
              <label key={one} className="inline"><input type="radio" name="theme" checked={theme === one} onChange={() => { preferences.setState({ theme: one }); view.setState({ theme: 'system' }); }} />{THEME_WORDS[one]}</label>
            ))}
          </fieldset>
          <fieldset>
            <legend>Tokens counted with</legend>
            {ENCODINGS.map((one) => (
              <label key={one} className="inline"><input type="radio" name="encoding" checked={encoding === one} onChange={() => view.setState({ encoding: one })} /><span className="mono">{one}</span><span className="muted">{ENCODING_WORDS[one]}</span></label>
            ))}
            <p className="muted small">Exact for these tokenizers; other providers count differently. What they measured is drawn as its own line.</p>
          </fieldset>
          <fieldset>
            <legend>Keyboard</legend>
            <label className="inline"><input type="checkbox" checked={shortcuts} onChange={(event) => preferences.setState({ shortcuts: event.target.checked })} />Single-key shortcuts</label>
          </fieldset>
        </div>
      )}
    </span>
  );
}
