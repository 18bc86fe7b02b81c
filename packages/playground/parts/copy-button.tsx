import { useSignal } from '@preact/signals'
import { Icon } from './icon.tsx'

interface Props {
  text: string
  /** Accessible name. */
  label: string
  /** Visible label; omit to show only the icon. */
  children?: string
}

export function CopyButton({ text, label, children = '' }: Props) {
  const outcome = useSignal<'copied' | 'failed' | undefined>(undefined)
  const copy = async () => {
    try {
      // Browsers provide the clipboard only on https and localhost.
      await navigator.clipboard.writeText(text)
      outcome.value = 'copied'
    } catch {
      outcome.value = 'failed'
    }
    setTimeout(() => {
      outcome.value = undefined
    }, 1600)
  }
  return (
    <button type="button" class="copy" aria-label={label} title={label} onClick={copy}>
      <Icon name={outcome.value === 'copied' ? 'check' : 'copy'} />
      <span role="status">
        {outcome.value === 'copied' ? 'Copied' : outcome.value === 'failed' ? 'Not allowed' : children}
      </span>
    </button>
  )
}
