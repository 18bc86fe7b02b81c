import { highlight } from '../code/highlight.ts'

export function CodeText({ code }: { code: string }) {
  return (
    <pre>
      <code>
        {highlight(code).map(({ kind, text, start }) => (
          <span key={start} class={`token-${kind}`}>
            {text}
          </span>
        ))}
      </code>
    </pre>
  )
}
