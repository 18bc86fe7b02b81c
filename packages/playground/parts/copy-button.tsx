import { useSignal } from '@preact/signals'
import { Icon } from './icon.tsx'

/** Renders an icon that copies text. @param label the accessible name */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const outcome = useSignal('')
  const copy = async () => {
    // Browsers provide the clipboard only on https and localhost.
    const copying = async () => navigator.clipboard.writeText(text)
    outcome.value = await copying().then(
      () => 'Copied',
      () => 'Not allowed'
    )
    setTimeout(() => {
      outcome.value = ''
    }, 1600)
  }
  return (
    <button type="button" class="copy" aria-label={label} title={label} onClick={copy}>
      <Icon name={outcome.value === 'Copied' ? 'check' : 'copy'} />
      <span role="status">{outcome.value}</span>
    </button>
  )
}
