import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';

/**
 * Trace text is hostile: no HTML (react-markdown escapes it), and nothing that loads or navigates. Links are shown as
 * text with their address, images as their description; both keep what the author wrote visible.
 */
const COMPONENTS: Components = {
  a: ({ children, href }) => <span className="md-link" title={href}>{children}{href !== undefined && href !== '' && <span className="muted"> ⟨{href}⟩</span>}</span>,
  img: ({ alt, src }) => <span className="md-image muted">[image{alt ? `: ${alt}` : ''}{typeof src === 'string' && src !== '' ? ` ⟨${src.slice(0, 120)}⟩` : ''}]</span>,
  input: ({ checked }) => <span aria-hidden="true">{checked === true ? '☑' : '☐'}</span>,
  h1: ({ children }) => <p className="md-h">{children}</p>,
  h2: ({ children }) => <p className="md-h">{children}</p>,
  h3: ({ children }) => <p className="md-h">{children}</p>,
  h4: ({ children }) => <p className="md-h">{children}</p>,
  h5: ({ children }) => <p className="md-h">{children}</p>,
  h6: ({ children }) => <p className="md-h">{children}</p>,
};
const PLUGINS = [remarkGfm];
const asWritten = (url: string): string => url;

export default function Markdown({ text }: { text: string }) {
  return <div className="md"><ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={asWritten}>{text}</ReactMarkdown></div>;
}
