import { useSignal } from '@preact/signals'
import { highlight } from '../code/highlight.ts'

/** The size of folded code. code.css reserves space for MOST_LINES lines of about LINE_LENGTH characters. */
const MOST_LINES = 11
const LINE_LENGTH = 70

interface Props {
  code: string
  /** Describes the code in the button's accessible name. */
  of: string
  /** Whether to show the end of folded code instead of its beginning, as for a stream. */
  showsEnd?: boolean
}

/** Renders code. Folds long code and adds a button that shows all of it. */
export function Folded({ code, of, showsEnd = false }: Props) {
  const isOpen = useSignal(false)
  const rows = code.split('\n').map(line => Math.max(1, Math.ceil(line.length / LINE_LENGTH)))
  const isLong = rows.reduce((sum, count) => sum + count, 0) > MOST_LINES
  return (
    <>
      <div class="folded" data-open={isOpen.value || !isLong} data-end={showsEnd}>
        <pre>
          <code>
            {highlight(code).map(({ kind, text, start }) => (
              <span key={start} class={`token-${kind}`}>
                {text}
              </span>
            ))}
          </code>
        </pre>
      </div>
      {isLong && (
        <button
          type="button"
          class="fold"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          {isOpen.value ? 'Show less' : `Show all ${rows.length} lines`}
          <span class="visually-hidden"> of {of}</span>
        </button>
      )}
    </>
  )
}
