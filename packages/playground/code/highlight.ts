export interface Token {
  readonly kind: 'link' | 'comment' | 'string' | 'keyword' | 'number' | 'flag' | 'plain'
  readonly text: string
  /** Offset in the code. */
  readonly start: number
}

const pattern =
  /(?<link>https?:\/\/[^\s'"]+)|(?<comment>(?<=^|\s)(?:\/\/|#).*$)|(?<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)|(?<keyword>\b(?:import|from|const|await|for|of|new|if|return|throw|curl|switch|case|break)\b)|(?<flag>(?<=\s)--?[a-z][a-z-]*)|(?<number>\b\d[\d_.]*n?\b)/gm

/** Splits shell commands and TypeScript into tokens to colour. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [text] = match
    if (match.index > end) tokens.push({ kind: 'plain', text: code.slice(end, match.index), start: end })
    tokens.push({ kind: kindOf(match.groups ?? {}), text, start: match.index })
    end = match.index + text.length
  }
  return [...tokens, { kind: 'plain', text: code.slice(end), start: end }]
}

function kindOf(groups: Record<string, string | undefined>): Token['kind'] {
  const kinds = ['link', 'comment', 'string', 'keyword', 'flag', 'number'] as const
  return kinds.find(kind => groups[kind] !== undefined) ?? 'plain'
}
