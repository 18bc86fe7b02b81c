import type { ComponentChildren } from 'preact'

interface Props {
  look?: 'link' | 'secondary'
  onClick: () => void
  children: ComponentChildren
}

/** A button that disappears when pressed. Focus moves to its step's heading instead of the top of the page. */
export function LeavingButton({ look = 'link', onClick, children }: Props) {
  return (
    <button
      type="button"
      class={look}
      onClick={({ currentTarget }) => {
        currentTarget.closest('section')?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
        onClick()
      }}
    >
      {children}
    </button>
  )
}
