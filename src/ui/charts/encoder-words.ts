/** How an encoder is named in a title line, and whether its numbers are good enough to cite. */
import { encoderById } from '../../core/embedding/registry';

export interface EncoderWords { title: string; approximate: boolean }

/** Ids are those of the registry; one it does not know (imported vectors) is named by its id. */
export function encoderWords(id: string): EncoderWords {
  try {
    const { title, approximate } = encoderById(id);
    // Said once, by the mark behind the title line.
    const short = title.replace(/ \([^)]*approximate\)$/, '');
    // The hashed fields are a stand-in for an encoder, never a measurement of meaning.
    return id.startsWith('hashed') ? { title: `${title} (stand-in)`, approximate: true } : { title: short, approximate };
  } catch {
    return { title: id, approximate: false };
  }
}
