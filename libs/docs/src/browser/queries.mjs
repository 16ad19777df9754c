/** Lines of a phone: the editor does not wrap them. */
const FIRST_HINT = `# Sign in first.
# Then run it.
`;

/** The tabs of the explorer at the first visit. Each query runs as it is, for every member. */
export const SAVED_QUERIES = [
  `${FIRST_HINT}query Me {
  viewer {
    id
    name
  }
}
`,
  `# The courses that you take, with your progress.
query MyCourses {
  viewer {
    enrolledCourses(first: 10) {
      nodes {
        name
        slug
        state
        completionRate
        completedLecturesCount
        lecturesCount
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
  `# The lecture that you would watch next in each course.
query NextLectures {
  viewer {
    enrolledCourses(first: 5) {
      nodes {
        name
        nextLecture {
          id
          title
        }
      }
    }
  }
}
`,
  `# Your newest notifications.
query MyNotifications {
  viewer {
    unreadNotificationCount
    notifications(first: 10) {
      nodes {
        kind
        title
        createdAt
        isRead
      }
    }
  }
}
`,
  `# The schools that you are a member of, and your roles there.
query MySchools {
  viewer {
    schools {
      name
      url
      roles
      isCurrent
    }
  }
}
`,
];
