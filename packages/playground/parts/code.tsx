import type { ComponentChildren } from 'preact'
import { highlight } from '../code/highlight.ts'
import { CopyButton } from './copy-button.tsx'

interface Props {
  /** The accessible name, such as `Request of Quote`. */
  label: string
  code: string
  /** The contents of the bar above the code. */
  children: ComponentChildren
}

/** Renders code that can be copied. Long code scrolls, also with the keyboard. */
export function Code({ label, code, children }: Props) {
  return (
    <figure class="code" aria-label={label}>
      <div class="code-bar">
        {children}
        <CopyButton text={code} label={`Copy: ${label}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach content that scrolls */}
      <pre tabIndex={0}>
        <code>
          {highlight(code).map(({ kind, text, start }) => (
            <span key={start} class={`token-${kind}`}>
              {text}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  )
}
