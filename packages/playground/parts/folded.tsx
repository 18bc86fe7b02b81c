import { useSignal } from '@preact/signals'
import { CodeText } from './code-text.tsx'

/** More than this is folded at first: as many lines as code.css leaves room for, of about this length. */
const MOST_LINES = 11
const LINE_LENGTH = 70

interface Props {
  code: string
  /** What it is, for the button's accessible name. */
  of: string
  /** Whether the end is the part to see, as of a stream. */
  showsEnd?: boolean
}

/** Code whose length nobody knows: long code is folded, and a button shows all of it. */
export function Folded({ code, of, showsEnd = false }: Props) {
  const isOpen = useSignal(false)
  const rows = code.split('\n').map(line => Math.max(1, Math.ceil(line.length / LINE_LENGTH)))
  const isLong = rows.reduce((sum, count) => sum + count, 0) > MOST_LINES
  return (
    <>
      <div class="folded" data-open={isOpen.value || !isLong} data-end={showsEnd}>
        <CodeText code={code} />
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
