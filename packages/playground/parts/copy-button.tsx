import { useSignal } from '@preact/signals'
import { Icon } from './icon.tsx'

/** Copies a text. The label is its accessible name. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const outcome = useSignal<'copied' | 'failed' | undefined>(undefined)
  const copy = async () => {
    // Browsers have a clipboard on https and on localhost only.
    outcome.value = await Promise.resolve(navigator.clipboard?.writeText(text)).then(
      () => (navigator.clipboard === undefined ? 'failed' : 'copied'),
      () => 'failed' as const
    )
    setTimeout(() => {
      outcome.value = undefined
    }, 1600)
  }
  return (
    <button
      type="button"
      class="copy"
      aria-label={label}
      title={label}
      data-outcome={outcome.value}
      onClick={copy}
    >
      <Icon name={outcome.value === 'copied' ? 'check' : 'copy'} />
      <span class="copy-word" role="status">
        {outcome.value === 'copied' ? 'Copied' : outcome.value === 'failed' ? 'Not allowed' : ''}
      </span>
    </button>
  )
}
