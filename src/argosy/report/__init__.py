"""What people look at: runs, pictures and pages."""
