/** Shows only the asset's name; the prefix is for screen readers. */
export const ManageTitle = ({ name }: { name: string }) => (
  <>
    <span className="sr-only">Manage Asset: </span>
    <span dir="auto">{name}</span>
  </>
);
