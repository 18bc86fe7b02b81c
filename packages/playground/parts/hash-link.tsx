import { Icon } from './icon.tsx'
import { likeHash, Reserved } from './reserved.tsx'

interface Props {
  hash: string | undefined
  /** The explorer's URL without a trailing slash. Undefined if the network has no explorer. */
  explorer: string | undefined
}

/** Renders a transaction hash, with a link to the explorer if there is one. */
export function HashLink({ hash, explorer }: Props) {
  return (
    <Reserved like={likeHash}>
      {!hash && <span class="muted">—</span>}
      {hash && !explorer && <code>{hash}</code>}
      {hash && explorer && (
        <a class="hash" href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
          <code class="address">{hash}</code>
          <Icon name="external" />
          <span class="visually-hidden"> (opens the explorer in a new tab)</span>
        </a>
      )}
    </Reserved>
  )
}
