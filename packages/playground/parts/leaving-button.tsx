import type { ComponentChildren } from 'preact'

interface Props {
  look?: 'link' | 'secondary'
  onClick: () => void
  children: ComponentChildren
}

/** Renders a button that disappears when pressed. Moves focus to the step's heading, so that focus is not lost. */
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
