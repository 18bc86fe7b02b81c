/** The description of an error code from docs/errors.md: plain text, with code in backticks. */
export interface Advice {
  readonly whatToDo: string
  /** Whether to send the same request again: `never`, `same`, `later` or `new quote`. */
  readonly retry: string
  /** Whether the chain might have executed the submission: `no` or `perhaps`. */
  readonly executed: string
}

/**
 * Parses the advice for clients by error code.
 * @param document the contents of docs/errors.md: a table of all codes, then a level 3 heading per code, followed later
 *   by a paragraph that starts with *What to do.*
 * @throws Error when a code has no advice
 */
export function readAdvice(document: string): Record<string, Advice> {
  const sections = document.split(/^### (?=[A-Z_]+$)/m).slice(1)
  const rows = new Map(
    [...document.matchAll(/^\| \[`(\w+)`\].*?\| \d+ \| (.*?) \| (.*?) \|$/gm)].map(
      ([, code = '', retry = '', executed = '']) => [code, { retry, executed }]
    )
  )
  return Object.fromEntries(sections.map(section => readSection(section, rows)))
}

function readSection(
  section: string,
  rows: ReadonlyMap<string, Pick<Advice, 'retry' | 'executed'>>
): [string, Advice] {
  const [code = '', ...paragraphs] = section.split(/\n\n+/)
  const whatToDo = paragraphs.find(paragraph => paragraph.startsWith(WHAT_TO_DO))
  const row = rows.get(code)
  if (whatToDo === undefined || row === undefined) {
    throw new Error(`docs/errors.md has no row for ${code}, or no paragraph that starts with *What to do.*`)
  }
  const followedBy = paragraphs.slice(paragraphs.indexOf(whatToDo) + 1).filter(text => text.startsWith('- '))
  return [
    code,
    {
      ...row,
      whatToDo: plain([whatToDo.slice(WHAT_TO_DO.length), ...followedBy].join('\n'))
    }
  ]
}

const WHAT_TO_DO = '*What to do.*'

/** Removes links, bold type, list markers and line breaks. */
function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replaceAll('**', '')
    .replace(/^- /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}
