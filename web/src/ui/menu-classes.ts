/** The panel of a menu, without its size. */
export const menuPopup = 'z-40 rounded-card border border-line bg-raised p-1.5 outline-none';
export const menuItem =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-3 font-medium outline-none select-none data-highlighted:bg-sunken';
