import { Icon } from './icon.tsx'

interface Props {
  hash: string | undefined
  /** The explorer's URL without a trailing slash. Undefined if the network has no explorer. */
  explorer: string | undefined
}

/** Renders a transaction hash, with a link to the explorer if there is one. */
export function HashLink({ hash, explorer }: Props) {
  if (!hash || !explorer) return <code class="address">{hash || '—'}</code>
  return (
    <a class="hash" href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
      <code class="address">{hash}</code>
      <Icon name="external" />
      <span class="visually-hidden"> (opens the explorer in a new tab)</span>
    </a>
  )
}
