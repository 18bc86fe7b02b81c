import type { ComponentChildren } from 'preact'

/** Placeholders with the width of the pending values, so that the layout does not shift. */
export const likeUuid = '00000000-0000-4000-8000-000000000000'
export const likeHash = `0x${'0'.repeat(64)}`
export const likeSignature = `0x${'0'.repeat(130)}`

/** Renders a value, or a placeholder of the same width until it is loaded. */
export function Reserved({ like, children }: { like: string; children: ComponentChildren }) {
  return (
    <span class="reserved">
      <span class="reserved-place" aria-hidden="true">
        <code>{like}</code>
      </span>
      <span>{children}</span>
    </span>
  )
}

interface FactProps {
  name: string
  value: string | undefined
  /** A placeholder with the width of the value. */
  like: string
}

/** Renders a row of a description list, for a value that might not be loaded yet. */
export function Fact({ name, value = '—', like }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Reserved like={like}>
          <code>{value}</code>
        </Reserved>
      </dd>
    </>
  )
}
