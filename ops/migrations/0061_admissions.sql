-- Memories that were ready with their append, in workspaces with webhooks: it is still to be found out which webhooks are notified of
-- them. What is queued otherwise is looked at by its job.
create table admissions (
  memory_id uuid primary key
);
